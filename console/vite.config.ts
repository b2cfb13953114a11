import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { dropUnusedStyles } from './unused-styles.ts'

/** Where the service listens while somebody works on the console with `npm run dev -w console`. */
const SERVICE = 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react(), dropUnusedStyles()],
  root: import.meta.dirname,
  build: {
    target: 'es2022',
    // Those that know light-dark(): what is made of it for older ones shows no colour at all.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { '/v1': SERVICE, '/docs': SERVICE, '/openapi.json': SERVICE } },
})
