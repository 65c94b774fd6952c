export { loadDemo } from './load-demo.ts'
export { removeDemo } from './remove-demo.ts'
