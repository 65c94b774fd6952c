import { useQuery } from '@tanstack/react-query'
import type { TakesMessagesFrom } from '../../../contracts/messages.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Dialog, DialogContent } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { RadioCard, RadioCards } from '../../ui/radio-cards.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { messageSettings } from './message-settings.ts'
import { messageSettingsOptions } from './messages.api.ts'
import { PrivacyLine } from './privacy-line.tsx'

const choices: { value: TakesMessagesFrom; title: string; description: string }[] = [
  { value: 'everybody', title: 'Everybody', description: 'Of those whom you do not follow, the first message is a request.' },
  { value: 'followed', title: 'People you follow', description: 'Nobody else can begin a conversation with you.' },
  { value: 'nobody', title: 'Nobody', description: 'Conversations that you have go on.' },
]

/** Who may begin a conversation, and what others see of one's reading. Saved as it is changed. */
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
      <RadioCards legend="Who may begin a conversation with you?" className="sm:grid-flow-row!">
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
        hint="Others see how far you have read and that you are typing. While this is off, you do not see it of them either."
      >
        Read marks and typing
      </Switch>
    </>
  )
}
