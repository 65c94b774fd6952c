export { registerComments } from './comments.routes.ts'
export { audienceOfComment, loadComments } from './read-comments.ts'
