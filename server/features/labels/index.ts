export { labelRoutes, registerLabels } from './labels-pdf.ts'
