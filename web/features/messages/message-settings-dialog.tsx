import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type MessageSettings, saveMessageSettings, type TakesMessagesFrom } from '../../../contracts/messages.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Dialog, DialogContent } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { RadioCard, RadioCards } from '../../ui/radio-cards.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast-store.ts'
import { refreshConversations } from './message-caches.ts'
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
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery(messageSettingsOptions)
  // At once, and not by way of the cache: a radio button that is set back for a moment would flicker.
  const [chosen, setChosen] = useState<MessageSettings | null>(null)
  const settings = chosen ?? data
  const { mutate } = useMutation({
    scope: { id: 'message-settings' },
    mutationFn: (body: MessageSettings) => call(saveMessageSettings, { body }),
    onSuccess: (saved) => {
      client.setQueryData(messageSettingsOptions.queryKey, saved)
      refreshConversations(client, null)
    },
    onError: (failure) => {
      setChosen(null)
      toast({ title: 'Your settings were not saved', description: messageOf(failure), variant: 'destructive' })
    },
  })
  const change = (next: MessageSettings) => {
    setChosen(next)
    mutate(next)
  }
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
            onChange={() => change({ ...settings, takesMessagesFrom: value })}
            className="p-3!"
          />
        ))}
      </RadioCards>
      <Switch
        checked={settings.showsReadMarks}
        onChange={(event) => change({ ...settings, showsReadMarks: event.target.checked })}
        hint="Others see how far you have read and that you are typing. While this is off, you do not see it of them either."
      >
        Read marks and typing
      </Switch>
    </>
  )
}
