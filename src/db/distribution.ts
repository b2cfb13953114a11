/** In the text of a statement that is about all workspaces: it may run on every server of a distributed database. */
export const ALL_WORKSPACES = '/* all workspaces */'
