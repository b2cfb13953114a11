// The console in a real browser, one file per page, on one service: queue, findings, suggestions, knowledge base, deliveries and settings.
import './console/today.ts'
import './console/findings.ts'
import './console/suggested.ts'
import './console/knowledge.ts'
import './console/deliveries.ts'
import './console/outlets.ts'
import './console/settings.ts'
import './console/start.ts'
