// The console in a real browser, one file a page, on one service: all of them share it and the browser.
import { readdirSync } from 'node:fs'

const folder = new URL('./console/', import.meta.url)
for (const name of readdirSync(folder).sort()) await import(new URL(name, folder).href)
