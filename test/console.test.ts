// The console in a real browser, one file a page, on one service: all of them share it and the browser.
import './console/knowledge.ts'
import './console/people.ts'
import './console/shell.ts'
import './console/signals.ts'
