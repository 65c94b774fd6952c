import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { saveNotificationPreferences } from '#contracts/calls/notifications.ts'
import { channels } from '#contracts/choices.ts'
import type { NotificationTopic } from '#contracts/notification-types.ts'
import { type Channel, type NotificationPreferences, NotificationPreferencesChange } from '#contracts/notifications.ts'
import { preferencesOptions } from '#web/entities/notifications/notifications.api.ts'
import { getTabItem, removeTabItem, setTabItem } from '#web/forms/tab-memory.ts'
import { TimeZoneOptions } from '#web/forms/time-zone-options.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { isBusinessUser, useCurrentUser } from '#web/lib/current-user.ts'
import { fromClock, spanWords, toClock } from '#web/lib/time-words.ts'
import { chosenTimeZone, deviceTimeZone, zoneName } from '#web/lib/time-zones.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { cx } from '#web/ui/cx.ts'
import { Field, FormError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast-store.ts'

const draftKey = 'draft.notification-preferences'

const rhythms = [
  { value: 'each', title: 'Individually', description: 'As it happens' },
  { value: 'daily', title: 'Daily', description: 'Daily digest' },
  { value: 'weekly', title: 'Weekly', description: 'Weekly digest' },
] as const

function readDraft(): NotificationPreferencesChange {
  const draft = NotificationPreferencesChange.safeParse(getTabItem(draftKey))
  return draft.success ? draft.data : {}
}

export function PreferencesForm({ saved: stored }: { saved: NotificationPreferences }) {
  const client = useQueryClient()
  const user = useCurrentUser()
  const isBusiness = user !== null && isBusinessUser(user)
  const saved = { ...stored, timeZone: chosenTimeZone(stored.timeZone) }
  const [choices, setChoices] = useState(readDraft)
  const [isTimeMissing, setTimeMissing] = useState(false)
  const [undone, setUndone] = useState(0)
  const edited = withChange(saved, choices)
  const isChanged = Object.keys(changesBetween(saved, edited)).length > 0
  useEffect(() => (isChanged ? setTabItem(draftKey, choices) : removeTabItem(draftKey)), [choices, isChanged])
  const saving = useMutation({
    mutationFn: (change: NotificationPreferencesChange) => call(saveNotificationPreferences, { body: change }),
    onSuccess: (answer) => {
      client.setQueryData(preferencesOptions.queryKey, answer)
      toast({ title: 'Preferences saved' })
    },
  })
  const change = (part: NotificationPreferencesChange) => {
    if (!saving.isPending) saving.reset()
    setChoices((now) => withChange(now, part))
  }
  const undo = () => {
    saving.reset()
    setChoices({})
    setTimeMissing(false)
    setUndone((times) => times + 1)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (saving.isPending || isTimeMissing) return
    // Keep choices made during the request.
    const onSuccess = () => setChoices((now) => (now === choices ? {} : now))
    saving.mutate(changesBetween(stored, edited), { onSuccess })
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <Section title="What and where">
        <TopicTable preferences={edited} onChange={change} />
        <p className="mt-3 border-line border-t pt-3 text-muted text-sm">
          These always appear on the site: message requests, moderators’ decisions{isBusiness && ', licenses, connections'}, suggested
          changes and pictures that couldn’t be loaded.
        </p>
      </Section>
      <Section title="Email">
        <div className="grid gap-5">
          <Checkbox
            checked={edited.isEmailOn}
            onChange={(event) => change({ isEmailOn: event.target.checked })}
            hint={`Subject lines are discreet, and you can unsubscribe from these emails in one click. We always send emails about your account, such as receipts and security alerts, and about moderators’ decisions${isBusiness ? ', licenses and teams' : ''}.`}
          >
            Email me
          </Checkbox>
          {edited.isEmailOn && (
            <RadioCards legend="How often" className="gap-2!">
              {rhythms.map(({ value, title, description }) => (
                <RadioCard
                  key={value}
                  name="rhythm"
                  value={value}
                  title={title}
                  description={description}
                  checked={edited.emailRhythm === value}
                  onChange={() => change({ emailRhythm: value })}
                  className="p-3!"
                />
              ))}
            </RadioCards>
          )}
          {edited.isEmailOn && edited.emailRhythm !== 'each' && (
            <Checkbox
              checked={edited.isPromptOn}
              onChange={(event) => change({ isPromptOn: event.target.checked })}
              hint={`They don’t wait for the ${edited.emailRhythm} digest. You’ll get at most one email an hour per unread conversation.`}
            >
              {isBusiness ? 'Send messages and reviews under 4 stars right away' : 'Send messages right away'}
            </Checkbox>
          )}
        </div>
      </Section>
      <Section title="Quiet hours">
        <QuietHours key={undone} value={edited.quietHours} onChange={(quietHours) => change({ quietHours })} onMissing={setTimeMissing} />
        <TimeZoneField value={edited.timeZone} onChange={(timeZone) => change({ timeZone })} className="mt-5" />
      </Section>
      <div className="sticky bottom-[calc(var(--bottom-bar,0px)+env(safe-area-inset-bottom))] z-10 -mx-4 flex flex-wrap items-center gap-3 border-line border-t bg-ground px-4 py-3 sm:-mx-6 sm:px-6">
        <Button type="submit" pending={saving.isPending} pendingText="Saving..." disabled={!(isChanged || saving.isPending)}>
          Save preferences
        </Button>
        {isChanged && !saving.isPending && (
          <Button variant="quiet" onClick={undo}>
            Undo changes
          </Button>
        )}
        <p role="status" className="text-muted text-sm">
          {isChanged && !saving.isError && !saving.isPending && 'Unsaved changes'}
        </p>
        {saving.isError && <FormError className="basis-full">Your preferences weren’t saved. {messageOf(saving.error)}</FormError>}
      </div>
    </form>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card asChild>
      <section aria-label={title}>
        <CardBody>
          <h2 className="mb-4 text-lg">{title}</h2>
          {children}
        </CardBody>
      </section>
    </Card>
  )
}

type Hours = NotificationPreferences['quietHours']
type QuietHoursProps = {
  value: Hours
  onChange: (hours: Hours) => void
  onMissing: (isMissing: boolean) => void
}

function QuietHours({ value, onChange, onMissing }: QuietHoursProps) {
  return (
    <div className="grid gap-4">
      <Checkbox
        checked={value !== null}
        onChange={(event) => {
          onMissing(false)
          onChange(event.target.checked ? usualQuietHours : null)
        }}
        hint="In-app notifications continue. Emails and browser notifications arrive after quiet hours."
      >
        Set quiet hours
      </Checkbox>
      {value && <Span value={value} onChange={onChange} onMissing={onMissing} />}
    </div>
  )
}

function Span({ value, onChange, onMissing }: QuietHoursProps & { value: NonNullable<Hours> }) {
  // Stored as typed, because the input is empty until the time is complete.
  const [from, setFrom] = useState(() => toClock(value.from))
  const [until, setUntil] = useState(() => toClock(value.until))
  const change = (nextFrom: string, nextUntil: string) => {
    setFrom(nextFrom)
    setUntil(nextUntil)
    const hours = { from: fromClock(nextFrom), until: fromClock(nextUntil) }
    const isWhole = hours.from !== null && hours.until !== null
    onMissing(!isWhole)
    if (isWhole) onChange(hours as NonNullable<Hours>)
  }
  const missing = 'Enter a time'
  return (
    <div>
      <div className="flex flex-wrap gap-4">
        <Field label="From" className="w-36" error={fromClock(from) === null && missing}>
          <Input type="time" value={from} onChange={(event) => change(event.target.value, until)} />
        </Field>
        <Field label="Until" className="w-36" error={fromClock(until) === null && missing}>
          <Input type="time" value={until} onChange={(event) => change(from, event.target.value)} />
        </Field>
      </div>
      <p className="mt-2 text-muted text-sm">{spanWords(value)}</p>
    </div>
  )
}

type TimeZoneFieldProps = { value: string; onChange: (zone: string) => void; className?: string }

function TimeZoneField({ value, onChange, className }: TimeZoneFieldProps) {
  const device = deviceTimeZone()
  return (
    <div className={className}>
      <Field label="Time zone" hint="Used for quiet hours and the time of daily and weekly emails.">
        <Select value={value} onChange={(event) => onChange(event.target.value)} className="max-w-sm">
          <TimeZoneOptions current={value} />
        </Select>
      </Field>
      {value !== device && (
        <Button variant="quiet" size="sm" className="mt-2 -ml-3" onClick={() => onChange(device)}>
          Use this device’s time zone: {zoneName(device)}
        </Button>
      )}
    </div>
  )
}

type TopicTableProps = { preferences: NotificationPreferences; onChange: (change: NotificationPreferencesChange) => void }

function TopicTable({ preferences, onChange }: TopicTableProps) {
  const id = useId()
  return (
    <table className="w-full border-collapse text-[0.9375rem]">
      <caption className="sr-only">What we notify you about, and where</caption>
      <thead>
        <tr className="text-left text-muted text-sm">
          <th scope="col" className="pb-2 font-medium">
            <span className="sr-only">Topic</span>
          </th>
          {channels.map((channel) => (
            <th key={channel} scope="col" id={`${id}-${channel}`} className="w-16 pb-2 text-center align-bottom font-medium sm:w-24">
              {channelWords[channel]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {preferences.topics.map(({ topic, channels: chosen }) => (
          <tr key={topic} className="border-line border-t">
            <th scope="row" className="py-3 pr-3 text-left font-normal!">
              <span id={`${id}-${topic}`} className="block font-medium">
                {topicWords[topic].label}
              </span>
              <span className="block text-muted text-sm max-sm:hidden">{topicWords[topic].hint}</span>
            </th>
            {channels.map((channel) => (
              <td key={channel} className={cx('py-3 align-middle', channel === 'email' && !preferences.isEmailOn && 'opacity-50')}>
                <Checkbox
                  checked={chosen[channel]}
                  disabled={channel === 'email' && !preferences.isEmailOn}
                  onChange={({ target }) => onChange({ topics: [{ topic, channels: { [channel]: target.checked } }] })}
                  className="justify-items-center"
                >
                  <span className="sr-only">
                    {topicWords[topic].label}, {channelWords[channel]}
                  </span>
                </Checkbox>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const topicWords: Record<NotificationTopic, { label: string; hint: string }> = {
  posts: { label: 'Posts', hint: 'News, farm updates and events from businesses and people you follow' },
  products: { label: 'Products', hint: 'New and updated products from businesses you follow' },
  likes: { label: 'Likes', hint: 'Someone likes your post' },
  mentions: { label: 'Mentions', hint: 'Someone mentions you or your business' },
  comments: { label: 'Comments and replies', hint: 'Someone comments on your post or hunt, replies to you or accepts your answer' },
  follows: { label: 'Followers', hint: 'Someone follows you or subscribes to your business' },
  reviews: { label: 'Reviews', hint: 'Reviews of your business, replies to your reviews and helpful votes' },
  hunts: { label: 'Pheno hunts', hint: 'Someone shares a hunt with you' },
  communities: { label: 'Communities', hint: 'Requests and invitations. Replies are under Comments and replies.' },
  messages: { label: 'Messages', hint: 'Shows who wrote to you, never the message. On the site, messages have their own badge.' },
  drafts: { label: 'Scheduled posts', hint: 'A post that you or your business scheduled wasn’t published' },
  held: { label: 'Content in review', hint: 'Something you posted is waiting for a moderator’s review' },
  events: { label: 'Events you’re going to', hint: 'A reminder the day before, and any change or cancellation' },
}

const channelWords: Record<Channel, string> = { in_app: 'On the site', email: 'Email', push: 'Browser' }

/** In minutes of the day. */
const usualQuietHours = { from: 22 * 60, until: 7 * 60 }

/** Applies a change to preferences, or to an earlier change. */
export function withChange<Base extends NotificationPreferencesChange>(base: Base, change: NotificationPreferencesChange): Base {
  const all = [...(base.topics ?? []), ...(change.topics ?? [])]
  const channelsOf = (topic: NotificationTopic) => all.filter((each) => each.topic === topic).map((each) => each.channels)
  const topics = [...new Set(all.map(({ topic }) => topic))].map((topic) => ({ topic, channels: Object.assign({}, ...channelsOf(topic)) }))
  return { ...base, ...change, topics }
}

/** Sent instead of all preferences, so that saving doesn't undo changes made elsewhere. */
export function changesBetween(saved: NotificationPreferences, edited: NotificationPreferences): NotificationPreferencesChange {
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  const { topics: _, ...settings } = edited
  const changed = Object.entries(settings).filter(([name, value]) => !isSame(value, saved[name as keyof typeof settings]))
  const topics = edited.topics.flatMap(({ topic, channels: chosen }) => {
    const before = saved.topics.find((each) => each.topic === topic)?.channels
    const names = channels.filter((channel) => chosen[channel] !== before?.[channel])
    return names.length === 0 ? [] : [{ topic, channels: Object.fromEntries(names.map((name) => [name, chosen[name]])) }]
  })
  return { ...(Object.fromEntries(changed) as NotificationPreferencesChange), ...(topics.length > 0 && { topics }) }
}
