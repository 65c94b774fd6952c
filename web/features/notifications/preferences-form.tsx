import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { NotificationPreferences, saveNotificationPreferences } from '../../../contracts/notifications.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FieldError } from '../../ui/field.tsx'
import { RadioCard, RadioCards } from '../../ui/radio-cards.tsx'
import { toast } from '../../ui/toast-store.ts'
import { forget, recall, remember } from '../accounts/tab-memory.ts'
import { preferencesOptions } from './notifications.api.ts'
import { isSame } from './preferences.ts'
import { QuietHours } from './quiet-hours.tsx'
import { TimeZoneField } from './time-zone-field.tsx'
import { chosenTimeZone } from './time-zones.ts'
import { TopicTable } from './topic-table.tsx'

const draftKey = 'draft.notification-preferences'

const rhythms = [
  { value: 'each', title: 'One by one', description: 'As it happens' },
  { value: 'daily', title: 'Daily', description: 'Gathered, once a day' },
  { value: 'weekly', title: 'Weekly', description: 'Gathered, once a week' },
] as const

/** What was changed and not saved: before a reload, or before signing in again. */
function readDraft(): NotificationPreferences | null {
  const draft = NotificationPreferences.safeParse(recall(draftKey))
  return draft.success ? draft.data : null
}

export function PreferencesForm({ saved }: { saved: NotificationPreferences }) {
  const client = useQueryClient()
  const [edited, setEdited] = useState(() => readDraft() ?? saved)
  const [isTimeMissing, setTimeMissing] = useState(false)
  const [undone, setUndone] = useState(0)
  const isChanged = !isSame(edited, saved)
  useEffect(() => (isChanged ? remember(draftKey, edited) : forget(draftKey)), [edited, isChanged])
  const saving = useMutation({
    mutationFn: (preferences: NotificationPreferences) => call(saveNotificationPreferences, { body: preferences }),
    onSuccess: (answer, sent) => {
      client.setQueryData(preferencesOptions.queryKey, answer)
      // What was changed while it was under way stays changed.
      setEdited((now) => (isSame(now, sent) ? { ...answer, timeZone: chosenTimeZone(answer.timeZone) } : now))
      toast({ title: 'Preferences saved' })
    },
  })
  const change = (part: Partial<NotificationPreferences>) => {
    if (!saving.isPending) saving.reset()
    setEdited((now) => ({ ...now, ...part }))
  }
  const undo = () => {
    change(saved)
    setTimeMissing(false)
    setUndone((times) => times + 1)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!(saving.isPending || isTimeMissing)) saving.mutate(edited)
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <Section title="What and where">
        <TopicTable preferences={edited} onChange={setEdited} />
      </Section>
      <Section title="Email">
        <div className="grid gap-5">
          <Checkbox
            checked={edited.isEmailOn}
            onChange={(event) => change({ isEmailOn: event.target.checked })}
            hint="The subject never says what it is about, and every mail can end them all with one click."
          >
            Send me email
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
          {isChanged && !saving.isError && !saving.isPending && 'Not saved yet'}
        </p>
        {saving.isError && (
          <div role="alert" className="basis-full">
            <FieldError>Your preferences were not saved. {messageOf(saving.error)}</FieldError>
          </div>
        )}
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
