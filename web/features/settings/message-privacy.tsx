import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../lib/api-error.ts'
import { RetryLine } from '../../ui/retry-line.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { messageSettings } from '../messages/message-settings.ts'
import { messageSettingsOptions } from '../messages/messages.api.ts'
import { SwitchRow } from './settings-rows.tsx'

/** Whether others see how far one has read: the same setting as in the messages themselves. */
export function MessagePrivacy() {
  const { data: settings, error, refetch, isFetching } = useQuery(messageSettingsOptions)
  const data = messageSettings.useShown(settings)
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
        onChange={(event) => messageSettings.choose({ showsReadMarks: event.target.checked })}
        hint="In messages, others see how far you have read and that you are typing. While this is off, you do not see it of them either."
      >
        Read marks and typing
      </Switch>
    </SwitchRow>
  )
}
