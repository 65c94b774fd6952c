export { type NotifiedComment, notifiedComments } from './comments.queries.ts'
export { registerComments } from './comments.routes.ts'
export { audienceOfComment, loadComments } from './read-comments.ts'
