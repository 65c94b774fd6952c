import { createFileRoute, notFound } from '@tanstack/react-router'
import { PlansScreen } from '../features/plans/plans-screen.tsx'
import { brand } from '../lib/boot.ts'

/** The route that is named after the brand. Every other word in its place is an address without a screen. */
export const Route = createFileRoute('/$brandSlug')({
  beforeLoad: ({ params }) => {
    if (params.brandSlug !== brand.slug) throw notFound()
  },
  component: PlansScreen,
})
