// The console in a real browser, one file a page, on one service: all of them share it and the browser.
import './console/shell.ts'
import './console/today.ts'
