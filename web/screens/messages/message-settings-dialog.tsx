import { useQuery } from '@tanstack/react-query'
import type { TakesMessagesFrom } from '#contracts/messages.ts'
import { messageSettings, messageSettingsOptions } from '#web/entities/messages/messages.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { PrivacyLine } from './privacy-line.tsx'

const choices: { value: TakesMessagesFrom; title: string; description: string }[] = [
  { value: 'everybody', title: 'Everyone', description: 'First messages from people you don’t follow arrive as requests.' },
  { value: 'followed', title: 'People you follow', description: 'Only people you follow can start a conversation with you.' },
  { value: 'nobody', title: 'No one', description: 'Existing conversations continue.' },
]

/** Who can message the viewer, and read receipts. Saved immediately. */
export function MessageSettingsDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent size="md" title="Message settings">
        <div className="grid gap-6">
          <Settings />
          <PrivacyLine />
        </div>
      </DialogContent>
    </Dialog>
  )
}

function Settings() {
  const { data, error, isFetching, refetch } = useQuery(messageSettingsOptions)
  const settings = messageSettings.useShown(data)
  const change = messageSettings.choose
  if (!settings) {
    if (error) {
      return (
        <ErrorState
          level={3}
          title="Your settings could not be loaded"
          description={messageOf(error)}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      )
    }
    return (
      <SkeletonGroup label="Loading your settings..." className="grid gap-3">
        <Skeleton className="h-20" />
        <Skeleton className="h-20" />
        <Skeleton className="h-12" />
      </SkeletonGroup>
    )
  }
  return (
    <>
      <RadioCards legend="Who can start a conversation with you?" className="sm:grid-flow-row!">
        {choices.map(({ value, title, description }) => (
          <RadioCard
            key={value}
            name="takesMessagesFrom"
            value={value}
            title={title}
            description={description}
            checked={settings.takesMessagesFrom === value}
            onChange={() => change({ takesMessagesFrom: value })}
            className="p-3!"
          />
        ))}
      </RadioCards>
      <Switch
        checked={settings.showsReadMarks}
        onChange={(event) => change({ showsReadMarks: event.target.checked })}
        hint="Others see what you’ve read and when you’re typing. If you turn this off, you won’t see theirs either."
      >
        Read receipts and typing
      </Switch>
    </>
  )
}
