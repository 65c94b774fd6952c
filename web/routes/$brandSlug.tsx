import { createFileRoute, notFound } from '@tanstack/react-router'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { brand } from '#web/lib/boot.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { PlansScreen } from '#web/screens/plans/plans-screen.tsx'

/** The brand-named route. Any other word in its place leads to a page that doesn't exist. */
export const Route = createFileRoute('/$brandSlug')({
  beforeLoad: ({ params }) => {
    if (params.brandSlug !== brand.slug) throw notFound()
  },
  loader: ({ context }) => {
    if (context.user) prefetch(context, myBusinessesOptions)
  },
  component: PlansScreen,
})
