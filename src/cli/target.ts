export { resolveTarget } from './remote/target.ts'
