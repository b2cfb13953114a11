import { fileURLToPath } from 'node:url'

/** The files of command line tools, to be run with Node. */
export const MCP_CONFORMANCE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))
// Its exports map this path to a file that does not exist.
export const OPENAPI_TYPESCRIPT = fileURLToPath(
  new URL('./node_modules/openapi-typescript/bin/cli.js', import.meta.url),
)
export const REDOCLY = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))
export const SPECTRAL = fileURLToPath(import.meta.resolve('@stoplight/spectral-cli/dist/index.js'))
