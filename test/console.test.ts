// The console in a real browser, one file a page, on one service: all of them share it and the browser.
import { readdirSync } from 'node:fs'

const folder = new URL('./console/', import.meta.url)
// All at once: the run is over, and the service stopped, as soon as no test is left.
await Promise.all(readdirSync(folder).map((name) => import(new URL(name, folder).href)))
