export { createDemoGate } from './demo-account.ts'
export { demoConsumer, demoOwner, demoPassword } from './demo-people.ts'
export { loadDemo } from './load-demo.ts'
export { countRealContent, removeDemo } from './remove-demo.ts'
