import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { saveMessageSettings } from '../../../contracts/messages.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast-store.ts'
import { refreshConversations } from '../messages/message-caches.ts'
import { messageSettingsOptions } from '../messages/messages.api.ts'
import { SwitchRow } from './settings-rows.tsx'

/** Whether others see how far one has read: the same setting as in the messages themselves. */
export function MessagePrivacy() {
  const client = useQueryClient()
  const { data, error, refetch, isFetching } = useQuery(messageSettingsOptions)
  const show = (showsReadMarks: boolean) =>
    client.setQueryData(messageSettingsOptions.queryKey, (settings) => settings && { ...settings, showsReadMarks })
  const { mutate } = useMutation({
    scope: { id: 'message-settings' },
    mutationFn: (showsReadMarks: boolean) => {
      const settings = client.getQueryData(messageSettingsOptions.queryKey)
      return call(saveMessageSettings, { body: { takesMessagesFrom: settings?.takesMessagesFrom ?? 'everybody', showsReadMarks } })
    },
    onMutate: show,
    onSuccess: () => refreshConversations(client, null),
    onError: (failure, showsReadMarks) => {
      show(!showsReadMarks)
      toast({ title: 'Your settings were not saved', description: messageOf(failure), variant: 'destructive' })
    },
  })
  if (!data) {
    return (
      <SwitchRow>
        {error ? (
          <div role="alert" className="flex flex-wrap items-center justify-between gap-3">
            <FieldError>Your message settings could not be loaded. {messageOf(error)}</FieldError>
            <Button variant="secondary" size="sm" onClick={() => void refetch()} pending={isFetching}>
              Retry
            </Button>
          </div>
        ) : (
          <SkeletonGroup label="Loading your message settings...">
            <Skeleton className="h-11" />
          </SkeletonGroup>
        )}
      </SwitchRow>
    )
  }
  return (
    <SwitchRow>
      <Switch
        checked={data.showsReadMarks}
        onChange={(event) => mutate(event.target.checked)}
        hint="In messages, others see how far you have read and that you are typing. While this is off, you do not see it of them either."
      >
        Read marks and typing
      </Switch>
    </SwitchRow>
  )
}
