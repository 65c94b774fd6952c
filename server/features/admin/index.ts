export { registerAdmin } from './admin.routes.ts'
