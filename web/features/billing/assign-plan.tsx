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

type AssignPlanProps = { agreement: Pick<Agreement, 'id' | 'title'>; businesses: readonly { id: string; name: string }[] }

/** A business plan that was bought before there was a business: which one it is for. */
export function AssignPlan({ agreement, businesses }: AssignPlanProps) {
  const client = useQueryClient()
  const [businessId, choose] = useState(businesses[0]?.id ?? '')
  const { mutate, isPending } = useMutation({
    networkMode: 'always',
    mutationFn: () => call(assignAgreement, { params: { id: agreement.id }, body: { businessId } }),
    onSuccess: async () => {
      toast({ title: 'Saved', description: `${agreement.title} is now your business’s.` })
      await refreshBilling(client)
    },
    onError: (error) => toast({ title: 'Error', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <div className="mt-4 grid gap-3 rounded-input bg-sunk p-4">
      <p className="text-[0.9375rem]">This plan waits for its business. It can be named once.</p>
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
            Use it for this business
          </Button>
        </div>
      )}
    </div>
  )
}
