// The console in a real browser, one file a page, on one service: a day's work, what goes out, and the settings.
import './console/today.ts'
import './console/suggested.ts'
import './console/knowledge.ts'
import './console/deliveries.ts'
import './console/outlets.ts'
import './console/settings.ts'
