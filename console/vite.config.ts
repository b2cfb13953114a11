import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { dropUnusedStyles } from './unused-styles.ts'

/** Where the service listens while somebody works on the console with `npm run dev -w console`. */
const SERVICE = 'http://127.0.0.1:3000'

/** What pages beside the first need of libraries, but for the large parts that only one thing needs. */
const WIDGETS =
  /node_modules\/(?!@mantine\/(dropzone|spotlight|notifications)|react-dropzone|file-selector|attr-accept|react-transition-group)/

export default defineConfig({
  plugins: [react(), dropUnusedStyles()],
  root: import.meta.dirname,
  build: {
    target: 'es2022',
    // Browsers that know light-dark(): for older ones it would be rewritten in a way that Mantine's schemes do not reach.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // Few files instead of one for each set of pages that shares something: a hundred small ones cost more than their bytes.
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 1 },
            { name: 'widgets', test: WIDGETS },
          ],
        },
      },
    },
  },
  server: { proxy: { '/v1': SERVICE, '/docs': SERVICE, '/openapi.json': SERVICE } },
})
