import { createFileRoute } from '@tanstack/react-router'
import { CreatePostScreen } from '#web/screens/posts/create-post-screen.tsx'

export const Route = createFileRoute('/create-post')({ component: CreatePostScreen })
