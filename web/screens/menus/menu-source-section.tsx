import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { MyBusiness } from '#contracts/businesses.ts'
import { deleteMenuSource, fetchMenuSource, getMenuSource, saveMenuSource } from '#contracts/calls/menu-imports.ts'
import { type MenuSource, NewMenuSource } from '#contracts/menu-sources.ts'
import type * as z from '#contracts/zod.ts'
import { SelectField, TextField } from '#web/forms/fields.tsx'
import { isSignedOut, showServerErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call, callOptions, refreshCalls } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { formatList, formatNumber, localDateFormat } from '#web/lib/format.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { FormError } from '#web/ui/field.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'

type SectionProps = { business: MyBusiness }

const sourceOptions = (businessId: string) => callOptions(getMenuSource, { params: { id: businessId } })

export function MenuSourceSection({ business }: SectionProps) {
  const [isEditing, setEditing] = useState(false)
  const { data, error, refetch, isFetching } = useQuery({
    ...sourceOptions(business.id),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (isBusy(state.data?.source ?? null) ? 1500 : false),
  })
  return (
    <section aria-labelledby="menu-address" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <h3 id="menu-address" className="text-lg">
          Menu address
        </h3>
        <p className="mt-1 max-w-feed text-muted text-sm">
          If your system publishes its menu at a web address as a CSV file, an Excel file or JSON, we can fetch it from there.
        </p>
      </div>
      {!data && !error && (
        <SkeletonGroup label="Loading the menu address...">
          <Skeleton className="h-40 rounded-card" />
        </SkeletonGroup>
      )}
      {!data && error && <LoadError level={3} title="The menu address couldn’t be loaded" query={{ error, refetch, isFetching }} />}
      {data && (
        <Card>
          <CardBody>
            {data.source && !isEditing ? (
              <SourceState business={business} source={data.source} onEdit={() => setEditing(true)} />
            ) : (
              <SourceForm businessId={business.id} source={data.source} onDone={() => setEditing(false)} />
            )}
          </CardBody>
        </Card>
      )}
    </section>
  )
}

/** Also true for a new address, because a job fetches it immediately. */
const isBusy = (source: MenuSource | null) =>
  source !== null && source.state !== 'stopped' && (source.isFetching || source.fetchedAt === null || source.outcome === null)

const schedules: Record<MenuSource['schedule'], string> = {
  manual: 'Only when you fetch it',
  nightly: 'Every night',
  hourly: 'Every hour',
}
const badges: Record<MenuSource['state'], { words: string; variant: 'leaf' | 'clay' }> = {
  working: { words: 'Active', variant: 'leaf' },
  failing: { words: 'Failing', variant: 'clay' },
  stopped: { words: 'Stopped', variant: 'clay' },
}
const moment = localDateFormat({ dateStyle: 'medium', timeStyle: 'short' })

function SourceState({ business, source, onEdit }: SectionProps & { source: MenuSource; onEdit: () => void }) {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const params = { id: business.id }
  const fetchNow = useMutation({
    mutationFn: () => call(fetchMenuSource, { params }),
    onSuccess: () => refreshCalls(client, [getMenuSource]),
    onError: (error) => toast({ title: 'The menu can’t be fetched', description: messageOf(error), variant: 'destructive' }),
  })
  const remove = useMutation({
    mutationFn: () => call(deleteMenuSource, { params }),
    onSuccess: async () => {
      await refreshCalls(client, [getMenuSource])
      setAsking(false)
      toast({ title: 'Address removed', description: 'Your menu wasn’t changed.' })
    },
    onError: (error) => toast({ title: 'The address wasn’t removed', description: messageOf(error), variant: 'destructive' }),
  })
  const badge = badges[source.state]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <b className="min-w-0 font-medium wrap-anywhere">{source.url}</b>
        <Badge variant={badge.variant}>{badge.words}</Badge>
      </p>
      <p className="text-muted text-sm">
        {schedules[source.schedule]}
        {source.createdBy !== null && ` · set up by ${source.createdBy}`}
        {source.nextFetchAt !== null && source.state !== 'stopped' && ` · next on ${moment.format(new Date(source.nextFetchAt))}`}
      </p>
      <div role="status" className="grid gap-1 text-sm">
        <Outcome business={business} source={source} />
      </div>
      {source.lastMenu && source.lastMenu.errors.length > 0 && <Rejected errors={source.lastMenu.errors} />}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => fetchNow.mutate()} pending={fetchNow.isPending || isBusy(source)} pendingText="Fetching...">
          {source.state === 'stopped' ? 'Resume' : 'Fetch now'}
        </Button>
        <Button variant="secondary" size="sm" onClick={onEdit}>
          Change
        </Button>
        <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
          Remove
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Remove this address?"
        confirmText="Remove address"
        onConfirm={() => remove.mutate()}
        pending={remove.isPending}
        pendingText="Removing..."
      >
        We’ll stop fetching your menu and delete the address. Items already on your menu won’t be removed.
      </ConfirmDialog>
    </div>
  )
}

function Outcome({ business, source }: SectionProps & { source: MenuSource }) {
  const { lastMenu } = source
  const counts = lastMenu
    ? ([
        [lastMenu.itemsAdded, 'added'],
        [lastMenu.itemsChanged, 'changed'],
        [lastMenu.itemsConfirmed, 'confirmed'],
        [lastMenu.itemsMissing, 'out of stock'],
        [lastMenu.itemsRejected, 'rejected'],
      ] as const)
    : []
  const shown = counts.filter(([count]) => count > 0).map(([count, word]) => `${formatNumber(count)} ${word}`)
  return (
    <>
      {source.stopReason === 'failing' && (
        <p>We couldn’t read your menu for three days, so we stopped trying. Check the address, then resume.</p>
      )}
      {source.stopReason === 'creator' && <p>The person who set it up can no longer manage connections. Resume it to take it over.</p>}
      {source.error !== null && <p className="text-clay">{source.error}</p>}
      {source.outcome === 'unchanged' && <p>Your system’s menu hasn’t changed.</p>}
      {source.outcome === 'imported' && lastMenu?.status === 'done' && (
        <p className="tabular-nums">{shown.length === 0 ? 'Nothing changed.' : `${formatList(shown)}.`}</p>
      )}
      <p className="text-muted">
        {source.fetchedAt === null ? 'Not fetched yet' : <>Fetched {<Ago at={source.fetchedAt} />}</>} ·{' '}
        <Link to="/business-dashboard/menu/import" search={{ business: business.slug }} className={textLink}>
          History
        </Link>
      </p>
    </>
  )
}

function Rejected({ errors }: { errors: NonNullable<MenuSource['lastMenu']>['errors'] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <ul className="max-h-72 overflow-y-auto rounded-input border border-line text-sm" tabIndex={0} aria-label="Rejected items">
      {errors.map(({ where, field, message }) => (
        <li key={`${where} ${field} ${message}`} className="flex flex-wrap gap-x-4 border-line px-3 py-2 not-first:border-t">
          <span className="min-w-20 text-muted tabular-nums wrap-anywhere">{where}</span>
          <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
            {field !== null && <code className="text-xs">{field}: </code>}
            {message}
          </span>
        </li>
      ))}
    </ul>
  )
}

type Values = z.output<typeof NewMenuSource>

function SourceForm({ businessId, source, onDone }: { businessId: string; source: MenuSource | null; onDone: () => void }) {
  const client = useQueryClient()
  const form = useForm<z.input<typeof NewMenuSource>, unknown, Values>({
    defaultValues: {
      url: source?.url ?? '',
      auth: source?.auth ?? 'none',
      authName: source?.authName ?? '',
      secret: '',
      schedule: source?.schedule ?? 'nightly',
    },
    resolver: standardSchemaResolver(NewMenuSource),
    mode: 'onTouched',
  })
  const auth = useWatch({ control: form.control, name: 'auth' })
  const submit = form.handleSubmit(async (body) => {
    try {
      await call(saveMenuSource, { params: { id: businessId }, body })
      await refreshCalls(client, [getMenuSource])
      onDone()
    } catch (error) {
      const rest = showServerErrors(form, error, ['url', 'auth', 'authName', 'secret', 'schedule'])
      if (rest) form.setError('root', { message: rest })
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })
  const secretHint = source !== null && source.auth !== 'none' ? 'Leave empty to keep the stored one' : undefined
  return (
    <form noValidate onSubmit={submit} aria-label="Menu address" className="grid max-w-feed gap-4">
      <TextField
        control={form.control}
        name="url"
        label="Address"
        hint="The https address of the file, such as https://pos.example.com/menu.csv"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
      />
      <SelectField control={form.control} name="auth" label="How we sign in to the server">
        <option value="none">No sign-in needed</option>
        <option value="basic">Username and password</option>
        <option value="header">Header with a key</option>
      </SelectField>
      {auth !== 'none' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            control={form.control}
            name="authName"
            label={auth === 'basic' ? 'Username' : 'Header name'}
            autoComplete="off"
            spellCheck={false}
          />
          <TextField
            control={form.control}
            name="secret"
            label={auth === 'basic' ? 'Password' : 'Value'}
            hint={secretHint}
            type="password"
            autoComplete="new-password"
          />
        </div>
      )}
      <SelectField control={form.control} name="schedule" label="How often">
        {Object.entries(schedules).map(([schedule, words]) => (
          <option key={schedule} value={schedule}>
            {words}
          </option>
        ))}
      </SelectField>
      <FormError>{form.formState.errors.root?.message}</FormError>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" pending={form.formState.isSubmitting} pendingText="Saving...">
          Save and fetch
        </Button>
        {source !== null && (
          <Button variant="secondary" onClick={onDone}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  )
}
