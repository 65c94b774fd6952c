import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { saveMessageSettings } from '../../../contracts/messages.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { RetryLine } from '../../ui/retry-line.tsx'
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
    mutationFn: async (showsReadMarks: boolean) => {
      const settings = client.getQueryData(messageSettingsOptions.queryKey)
      if (settings) await call(saveMessageSettings, { body: { ...settings, showsReadMarks } })
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
          <RetryLine onRetry={() => void refetch()} pending={isFetching}>
            Your message settings could not be loaded. {messageOf(error)}
          </RetryLine>
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
