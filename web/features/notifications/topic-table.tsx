import { useId } from 'react'
import { channels, type NotificationPreferences } from '../../../contracts/notifications.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { cx } from '../../ui/cx.ts'
import { channelWords, topicWords, withChannel } from './preferences.ts'

type TopicTableProps = { preferences: NotificationPreferences; onChange: (preferences: NotificationPreferences) => void }

/** Topics down, channels across. A box is named by its row and its column. */
export function TopicTable({ preferences, onChange }: TopicTableProps) {
  const id = useId()
  return (
    <table className="w-full border-collapse text-[0.9375rem]">
      <caption className="sr-only">What you are told about, and where</caption>
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
                  onChange={(event) => onChange(withChannel(preferences, topic, channel, event.target.checked))}
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
