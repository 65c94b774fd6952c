import { useRouter } from '@tanstack/react-router'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import { refreshCurrentUser } from '../../lib/current-user.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { BusinessForm } from '../onboarding/business-form.tsx'

/** Somebody with an account registers a business: nothing else has to be asked. */
export function AddBusiness({ user }: { user: CurrentUser }) {
  const router = useRouter()
  return (
    <div className="mx-auto grid w-full max-w-feed gap-6 px-4 py-8 sm:px-6 sm:py-12">
      <PageHeader title="Register your business" description="It gets a page of its own at once, and you are its owner." />
      <section className="rounded-card border border-line bg-surface p-5 sm:p-8">
        <BusinessForm
          user={user}
          type=""
          withLicense
          onCreated={async (business) => {
            await refreshCurrentUser()
            router.history.push(`/business/${business.slug}`)
          }}
        />
      </section>
    </div>
  )
}
