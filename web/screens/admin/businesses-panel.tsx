import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import type { AdminBusiness } from '#contracts/admin.endpoints.ts'
import { BusinessName } from '#contracts/businesses.ts'
import { correctBusinessName } from '#contracts/calls/admin.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { businessesOptions, refreshBusinesses } from './admin.api.ts'
import type { PanelProps } from './admin-search.ts'
import { rowLink, SearchBox } from './search-box.tsx'

export function BusinessesPanel({ search, onSearch }: PanelProps) {
  const list = useInfiniteQuery(businessesOptions(search.q === undefined ? {} : { q: search.q }))
  return (
    <div className="grid gap-5">
      <SearchBox
        label="Find businesses"
        hint="Search by name, description, place or ID."
        value={search.q}
        onSearch={(q) => onSearch({ q })}
      />
      <PagedList
        list={list}
        loadingLabel="Loading businesses..."
        skeleton={<SkeletonRow />}
        failure="The businesses couldn’t be loaded"
        cards="whole"
        empty={<ListNote title="No businesses found">No name, description or place contains “{search.q}”.</ListNote>}
      >
        {(businesses) => (
          <Card asChild>
            <ul>
              {businesses.map((business) => (
                <BusinessRow key={business.id} business={business} />
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
    </div>
  )
}

const standings: Record<AdminBusiness['licenseStanding'], string> = {
  listed: 'Licensed (state record)',
  inactive: 'License not active',
  missing: 'No longer in the register',
  none: 'No license in the register',
}

function BusinessRow({ business }: { business: AdminBusiness }) {
  const { owner, plans, licenseVerifiedThrough } = business
  const [isCorrecting, setCorrecting] = useState(false)
  return (
    <li className="grid gap-x-6 gap-y-2 border-line border-t p-4 first:border-t-0 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
      <div className="min-w-0">
        <p className="wrap-anywhere">
          <Link to="/business/$id" params={{ id: business.slug }} className={rowLink}>
            {business.name}
          </Link>
        </p>
        <p className="text-muted text-sm">
          {[[business.address, business.location].filter(Boolean).join(', '), standings[business.licenseStanding]]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <p className="flex flex-wrap items-center gap-x-5 gap-y-1 text-sm pointer-coarse:gap-y-0">
          {owner ? (
            <span>
              Owned by{' '}
              <Link to="/admin" search={{ tab: 'people', person: owner.id }} className={rowLink}>
                {owner.name}
              </Link>
            </span>
          ) : (
            <span className="text-muted">Unclaimed</span>
          )}
          <Link to="/admin" search={{ tab: 'audit', business: business.id }} className={rowLink}>
            Audit log
          </Link>
          <button type="button" className={rowLink} onClick={() => setCorrecting(true)}>
            Correct name
          </button>
          {isCorrecting && <CorrectNameDialog business={business} onClose={() => setCorrecting(false)} />}
        </p>
      </div>
      <div className="flex flex-wrap gap-1.5 sm:max-w-64 sm:justify-end">
        {licenseVerifiedThrough && <Badge variant="verified">Verified through {licenseVerifiedThrough}</Badge>}
        {plans.map((plan) => (
          <Badge key={plan} variant="leaf">
            {plan}
          </Badge>
        ))}
        {business.isHidden && <Badge variant="clay">Hidden</Badge>}
        {business.isDemo && <Badge variant="outline">Demo</Badge>}
      </div>
    </li>
  )
}

/** Owners can't change a name once other people rely on it. */
function CorrectNameDialog({ business, onClose }: { business: AdminBusiness; onClose: () => void }) {
  const formId = useId()
  const client = useQueryClient()
  const [name, setName] = useState(business.name)
  const [error, setError] = useState<string | null>(null)
  const correct = useMutation({
    mutationFn: (to: string) => call(correctBusinessName, { params: { id: business.id }, body: { name: to } }),
    onSuccess: (_answer, to) => {
      void refreshBusinesses(client)
      toast({ title: 'Name corrected', description: to })
      onClose()
    },
    onError: (failure) => setError(messageOf(failure)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const read = BusinessName.safeParse(name)
    setError(read.success ? null : (read.error.issues[0]?.message ?? null))
    if (!read.success) return
    if (read.data === business.name) onClose()
    else correct.mutate(read.data)
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={`Correct the name of ${business.name}`}
        description="Everyone sees the new name right away. Reviews, subscribers, the license and the page’s address don’t change, and register updates won’t change the name back."
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form={formId} pending={correct.isPending} pendingText="Saving...">
              Correct name
            </Button>
          </>
        }
      >
        <form id={formId} noValidate onSubmit={submit}>
          <Field label="Business Name" error={error ?? undefined}>
            <Input value={name} maxLength={120} autoComplete="off" onChange={(event) => setName(event.target.value)} />
          </Field>
        </form>
      </DialogContent>
    </Dialog>
  )
}
