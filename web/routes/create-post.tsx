import { createFileRoute } from '@tanstack/react-router'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { draftsOptions } from '#web/entities/drafts/drafts.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { CreatePostScreen } from '#web/screens/posts/create-post-screen.tsx'

export const Route = createFileRoute('/create-post')({
  loader: ({ context }) => prefetch(context, myBusinessesOptions, draftsOptions()),
  component: CreatePostScreen,
})
