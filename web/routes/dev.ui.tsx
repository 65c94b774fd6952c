import { createFileRoute } from '@tanstack/react-router'
import { Showcase } from '../features/showcase/showcase.tsx'

/** Outside production only: the route guard answers "not found" there. */
export const Route = createFileRoute('/dev/ui')({ component: Showcase })
