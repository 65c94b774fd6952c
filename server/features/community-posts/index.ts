export { registerCommunityPosts } from './community-posts.routes.ts'
