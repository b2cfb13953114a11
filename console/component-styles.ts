import type { Plugin } from 'vite'

/** Styles that others override, in the order of Mantine's single stylesheet. They are in the initial file. */
const SHARED = [
  ...['default-css-variables', 'baseline', 'global'],
  ...['ScrollArea', 'UnstyledButton', 'VisuallyHidden', 'Paper', 'Overlay', 'Popover', 'Loader', 'ActionIcon'],
  ...['CloseButton', 'Group', 'ModalBase', 'Input', 'Flex', 'FloatingIndicator'],
]

/** Replaces Mantine's single stylesheet: each component imports its own styles, so that they are in the file of the pages that use it. */
export function importComponentStyles(): Plugin {
  return {
    name: 'import-component-styles',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (id.endsWith('/@mantine/core/styles.css'))
        return SHARED.map((name) => `@import './styles/${name}.css';`).join('\n')
      const name = /\/@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/.exec(id)?.[1]
      return name && !SHARED.includes(name) ? `import '@mantine/core/styles/${name}.css'\n${code}` : null
    },
  }
}
