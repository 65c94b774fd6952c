import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useController, useForm } from 'react-hook-form'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  resendDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '#contracts/calls/webhooks.ts'
import { type WebhookEvent, webhookEvents } from '#contracts/choices.ts'
import { NewWebhook, type Webhook, type WebhookDelivery } from '#contracts/webhooks.ts'
import type * as z from '#contracts/zod.ts'
import { TextField } from '#web/forms/fields.tsx'
import { isSignedOut, showServerErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { localDateFormat } from '#web/lib/format.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { SecretOnce } from '#web/ui/copy-text.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { FieldGroup, FormError } from '#web/ui/field.tsx'
import { EmptyNote } from '#web/ui/notice.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'

type SectionProps = { businessId: string }
type Made = { url: string; secret: string }

export function WebhooksSection({ businessId }: SectionProps) {
  const [made, setMade] = useState<Made | null>(null)
  const list = useInfiniteQuery({ ...pagesOptions(listWebhooks, { params: { id: businessId } }), refetchOnMount: 'always' })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <section aria-labelledby="webhooks" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <h3 id="webhooks" className="text-lg">
          Webhooks
        </h3>
        <PagedList
          list={list}
          loadingLabel="Loading the webhooks..."
          skeleton={<SkeletonRow />}
          failure="The webhooks couldn’t be loaded"
          cards="whole"
          empty={<EmptyNote>No webhooks yet. Add one to notify another system about reviews, messages and more.</EmptyNote>}
        >
          {(webhooks) => (
            <Card asChild>
              <ul className="divide-y divide-line">
                {webhooks.map((webhook) => (
                  <WebhookRow key={webhook.id} businessId={businessId} webhook={webhook} onSecret={setMade} />
                ))}
              </ul>
            </Card>
          )}
        </PagedList>
      </section>
      <Card asChild>
        <section aria-labelledby="new-webhook">
          <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-4">
            {made ? (
              <SecretOnce
                title="Copy the secret"
                titleId="new-webhook"
                label="Signing secret"
                secret={made.secret}
                onDone={() => setMade(null)}
              >
                You won’t be able to see it again. The system at {new URL(made.url).host} needs it to check that a call comes from us.
              </SecretOnce>
            ) : (
              <NewWebhookForm businessId={businessId} onSecret={setMade} />
            )}
          </CardBody>
        </section>
      </Card>
    </div>
  )
}

const eventWords: Record<WebhookDelivery['event'], string> = {
  'menu.out_of_date': 'An item on your menu hasn’t been confirmed for a week',
  'review.created': 'Someone reviews your business',
  'message.received': 'A message arrives',
  'subscriber.created': 'Someone subscribes',
  'license.expiring': 'Your license expires soon',
  'webhook.test': 'Test',
}

const states: Record<Webhook['state'], { words: string; variant: 'leaf' | 'clay' }> = {
  working: { words: 'Active', variant: 'leaf' },
  failing: { words: 'Failing', variant: 'clay' },
  stopped: { words: 'Stopped', variant: 'clay' },
}
const stopWords: Record<NonNullable<Webhook['stopReason']>, string> = {
  by_team: 'Your team stopped it.',
  gone: 'The receiver responded that it no longer exists (410).',
  failing: 'Every attempt failed for three days. Check the receiver, then resume.',
  creator: 'The person who created it can no longer manage connections. Resume it to take it over.',
}

function WebhookRow({ businessId, webhook, onSecret }: SectionProps & { webhook: Webhook; onSecret: (made: Made) => void }) {
  const client = useQueryClient()
  const logId = useId()
  const [isOpen, setOpen] = useState(false)
  const [asking, setAsking] = useState<'delete' | 'rotate' | null>(null)
  const params = { id: businessId, webhookId: webhook.id }
  const isStopped = webhook.state === 'stopped'
  const act = useMutation({
    mutationFn: async (what: 'stop' | 'resume' | 'delete' | 'rotate' | 'test') => {
      if (what === 'delete') await call(deleteWebhook, { params })
      else if (what === 'test') await call(testWebhook, { params })
      else if (what === 'rotate') onSecret({ url: webhook.url, secret: (await call(rotateWebhookSecret, { params })).secret })
      else await call(updateWebhook, { params, body: { isStopped: what === 'stop' } })
      return what
    },
    onSuccess: async (what) => {
      if (what === 'test') setOpen(true)
      setAsking(null)
      await refreshCalls(client, [listWebhooks, listDeliveries])
    },
    onError: (error) => toast({ title: 'The webhook couldn’t be updated', description: messageOf(error), variant: 'destructive' }),
  })
  const press = (what: 'stop' | 'resume' | 'test') => !act.isPending && act.mutate(what)
  const state = states[webhook.state]
  const { host } = new URL(webhook.url)
  const hidden = <span className="sr-only"> {webhook.url}</span>
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3 px-4 py-3 sm:px-5">
      <div>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <b className="min-w-0 font-medium wrap-anywhere">{webhook.url}</b>
          <Badge variant={state.variant}>{state.words}</Badge>
        </p>
        <p className="text-muted text-sm wrap-anywhere">{webhook.events.join(', ')}</p>
        {webhook.createdBy !== null && <p className="text-muted text-sm">By {webhook.createdBy}</p>}
        {webhook.stopReason !== null && <p className="text-sm">{stopWords[webhook.stopReason]}</p>}
        {webhook.state === 'failing' && webhook.failingSince !== null && (
          <p className="text-sm">Every attempt has failed since {<Ago at={webhook.failingSince} />}. We’ll stop trying after three days.</p>
        )}
        {webhook.oldSecretUntil !== null && (
          <p className="text-muted text-sm">
            Calls are also signed with the old secret until {moment.format(new Date(webhook.oldSecretUntil))}.
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" aria-expanded={isOpen} aria-controls={logId} onClick={() => setOpen(!isOpen)}>
          <span>Deliveries{hidden}</span>
        </Button>
        {!isStopped && (
          <Button variant="secondary" size="sm" onClick={() => press('test')} aria-disabled={act.isPending}>
            <span>Send test{hidden}</span>
          </Button>
        )}
        <Button variant="secondary" size="sm" onClick={() => press(isStopped ? 'resume' : 'stop')} aria-disabled={act.isPending}>
          <span>
            {isStopped ? 'Resume' : 'Stop'}
            {hidden}
          </span>
        </Button>
        <Button variant="secondary" size="sm" onClick={() => setAsking('rotate')}>
          <span>Replace secret{hidden}</span>
        </Button>
        <Button variant="secondary" size="sm" onClick={() => setAsking('delete')}>
          <span>Delete{hidden}</span>
        </Button>
      </div>
      <div id={logId}>{isOpen && <Deliveries businessId={businessId} webhook={webhook} />}</div>
      <ConfirmDialog
        open={asking === 'rotate'}
        onOpenChange={() => setAsking(null)}
        title={`Replace the secret for ${host}?`}
        confirmText="Replace secret"
        onConfirm={() => act.mutate('rotate')}
        pending={act.isPending}
        pendingText="Replacing..."
      >
        For a day, we’ll also sign calls with the old secret, so you have time to update the other system.
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'delete'}
        onOpenChange={() => setAsking(null)}
        title={`Delete the webhook to ${host}?`}
        confirmText="Delete webhook"
        onConfirm={() => act.mutate('delete')}
        pending={act.isPending}
        pendingText="Deleting..."
      >
        We’ll stop calling it and delete its delivery history.
      </ConfirmDialog>
    </li>
  )
}

const deliveryBadges: Record<WebhookDelivery['state'], { words: string; variant: 'leaf' | 'clay' | 'neutral' }> = {
  waiting: { words: 'Waiting', variant: 'neutral' },
  delivered: { words: 'Delivered', variant: 'leaf' },
  failed: { words: 'Failed', variant: 'clay' },
}
const moment = localDateFormat({ dateStyle: 'medium', timeStyle: 'short' })

function Deliveries({ businessId, webhook }: SectionProps & { webhook: Webhook }) {
  const client = useQueryClient()
  const params = { id: businessId, webhookId: webhook.id }
  const list = useInfiniteQuery({
    ...pagesOptions(listDeliveries, { params }),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.pages.some(({ items }) => items.some(isDue)) ? 1500 : false),
  })
  const resend = useMutation({
    mutationFn: (deliveryId: string) => call(resendDelivery, { params: { ...params, deliveryId } }),
    onSuccess: () => refreshCalls(client, [listDeliveries]),
    onError: (error) => toast({ title: 'The delivery wasn’t resent', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <PagedList
      list={list}
      loadingLabel="Loading the deliveries..."
      skeleton={<SkeletonRow />}
      failure="The deliveries couldn’t be loaded"
      empty={<p className="text-muted text-sm">Nothing has been sent in the last 30 days.</p>}
    >
      {(deliveries) => (
        <ul className="grid grid-cols-[minmax(0,1fr)] divide-y divide-line rounded-input border border-line text-sm">
          {deliveries.map((delivery) => (
            <li key={delivery.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
              <div className="min-w-0 flex-1 basis-52">
                <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  <code className="text-xs wrap-anywhere">{delivery.event}</code>
                  <Badge variant={deliveryBadges[delivery.state].variant}>{deliveryBadges[delivery.state].words}</Badge>
                </p>
                <p className="text-muted">
                  {moment.format(new Date(delivery.createdAt))}
                  {resultWords(delivery)}
                </p>
              </div>
              {delivery.state !== 'waiting' && webhook.state !== 'stopped' && (
                <Button
                  variant="secondary"
                  size="sm"
                  onClick={() => !resend.isPending && resend.mutate(delivery.id)}
                  aria-disabled={resend.isPending}
                >
                  <span>
                    Resend<span className="sr-only"> {delivery.event}</span>
                  </span>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </PagedList>
  )
}

const isDue = ({ nextTryAt }: WebhookDelivery): boolean => nextTryAt !== null && Date.parse(nextTryAt) <= Date.now()

function resultWords(delivery: WebhookDelivery): string {
  const { status, error, tries, nextTryAt } = delivery
  const words = [
    status !== null ? `the receiver responded with ${status}` : error?.replace(/\.$/, ''),
    tries > 1 ? `${tries} attempts` : null,
    nextTryAt !== null && !isDue(delivery) ? `next attempt ${moment.format(new Date(nextTryAt))}` : null,
  ]
  return words.flatMap((each) => (each ? [` · ${each}`] : [])).join('')
}

type Values = z.output<typeof NewWebhook>

function NewWebhookForm({ businessId, onSecret }: SectionProps & { onSecret: (made: Made) => void }) {
  const client = useQueryClient()
  const form = useForm<z.input<typeof NewWebhook>, unknown, Values>({
    defaultValues: { url: '', events: [...webhookEvents] },
    resolver: standardSchemaResolver(NewWebhook),
    mode: 'onTouched',
  })
  const events = useController({ control: form.control, name: 'events' })
  const toggle = (event: WebhookEvent, isOn: boolean) =>
    events.field.onChange(webhookEvents.filter((each) => (each === event ? isOn : events.field.value.includes(each))))
  const submit = form.handleSubmit(async (body) => {
    try {
      const { webhook, secret } = await call(createWebhook, { params: { id: businessId }, body })
      onSecret({ url: webhook.url, secret })
      await refreshCalls(client, [listWebhooks])
    } catch (error) {
      const rest = showServerErrors(form, error, ['url', 'events'])
      if (rest) form.setError('root', { message: rest })
      if (isSignedOut(error)) await refreshCurrentUser()
    }
  })
  return (
    <>
      <h3 id="new-webhook" className="text-lg">
        Add a webhook
      </h3>
      <form noValidate onSubmit={submit} aria-label="New webhook" className="grid gap-4">
        <TextField
          control={form.control}
          name="url"
          label="Address"
          hint="The https address of the system to notify."
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
        />
        <FieldGroup legend="Notify this address when" error={events.fieldState.error?.message}>
          {webhookEvents.map((event) => (
            <Checkbox
              key={event}
              hint={event}
              checked={events.field.value.includes(event)}
              onChange={(change) => toggle(event, change.target.checked)}
            >
              {eventWords[event]}
            </Checkbox>
          ))}
        </FieldGroup>
        <FormError>{form.formState.errors.root?.message}</FormError>
        <Button type="submit" pending={form.formState.isSubmitting} pendingText="Adding...">
          Add webhook
        </Button>
      </form>
    </>
  )
}
