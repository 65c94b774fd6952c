import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Agreement, assignAgreement } from '../../../contracts/billing.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { textLink } from '../../ui/link-styles.ts'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast-store.ts'
import { refreshBilling } from './billing.api.ts'

type AssignPlanProps = { agreement: Pick<Agreement, 'id' | 'title' | 'business'>; businesses: readonly { id: string; name: string }[] }

/** Which business a plan is for: one that was bought before there was a business, or one that lifts the limit of one menu. */
export function AssignPlan({ agreement, businesses: owned }: AssignPlanProps) {
  const client = useQueryClient()
  const { business } = agreement
  const businesses = owned.filter(({ id }) => id !== business?.id)
  const [chosen, choose] = useState<string>()
  const businessId = businesses.find(({ id }) => id === chosen)?.id ?? businesses[0]?.id ?? ''
  const { mutate, isPending } = useMutation({
    networkMode: 'always',
    mutationFn: () => call(assignAgreement, { params: { id: agreement.id }, body: { businessId } }),
    onSuccess: async ({ title }) => {
      toast({ title: 'Saved', description: title })
      await refreshBilling(client)
    },
    onError: (error) => toast({ title: 'Error', description: messageOf(error), variant: 'destructive' }),
  })
  if (business && businesses.length === 0) return null
  return (
    <div className="mt-4 grid gap-3 rounded-input bg-sunk p-4">
      <p className="text-[0.9375rem]">
        {business
          ? `This plan is for ${business.name}. You can move it now, and again after 30 days.`
          : 'Choose the business this plan is for.'}
      </p>
      {businesses.length === 0 ? (
        <p>
          <Link to="/business/register" className={textLink}>
            Register your business
          </Link>
        </p>
      ) : (
        <div className="flex flex-wrap gap-3">
          <Select
            aria-label="Business"
            value={businessId}
            onChange={(event) => choose(event.target.value)}
            className="min-w-52 flex-1 sm:max-w-80"
          >
            {businesses.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
          <Button variant="secondary" onClick={() => mutate()} pending={isPending} pendingText="Saving...">
            {business ? 'Move plan' : 'Choose business'}
          </Button>
        </div>
      )}
    </div>
  )
}
