import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { importComponentStyles } from './component-styles.ts'

/** The service behind `npm run dev -w console`. */
const SERVICE = 'http://127.0.0.1:3000'

/** Libraries shared by lazily loaded pages, except large ones that only one component uses. */
const WIDGETS =
  /node_modules\/(?!@mantine\/(dropzone|spotlight|notifications)|react-dropzone|file-selector|attr-accept|react-transition-group)/

export default defineConfig({
  plugins: [react(), importComponentStyles()],
  root: import.meta.dirname,
  build: {
    target: 'es2022',
    // From it the service takes the files of a page.
    manifest: 'manifest.json',
    // Browsers with light-dark(): for older ones it would be compiled in a way that ignores Mantine's color schemes.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // A few large chunks instead of many small ones, because each request has a cost.
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
