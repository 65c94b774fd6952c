import { createFileRoute, notFound } from '@tanstack/react-router'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { brand } from '#web/lib/boot.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { PlansScreen } from '#web/screens/plans/plans-screen.tsx'

/** Any other slug leads to a 404. */
export const Route = createFileRoute('/$brandSlug')({
  beforeLoad: ({ params }) => {
    if (params.brandSlug !== brand.slug) throw notFound()
  },
  loader: ({ context }) => {
    if (context.user) prefetch(context, myBusinessesOptions)
  },
  component: PlansScreen,
})
