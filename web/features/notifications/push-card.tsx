import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BellOff, BellRing, CircleSlash } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { brand } from '../../lib/boot.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { type PushState, readPushState, turnPushOff, turnPushOn } from './push.ts'

const key = ['push-state']

const states: Record<PushState, { title: string; text: string; icon: ReactNode }> = {
  on: {
    title: 'This browser notifies you',
    text: `A short note from ${brand.name} appears even while the page is closed. It never says what it is about.`,
    icon: <BellRing aria-hidden="true" />,
  },
  off: {
    title: 'This browser does not notify you',
    text: `A short note from ${brand.name} would appear even while the page is closed. It never says what it is about.`,
    icon: <BellOff aria-hidden="true" />,
  },
  denied: {
    title: 'This browser may not notify you',
    text: `It was told not to. Allow notifications for ${brand.name} in the browser’s settings for this site, then come back here.`,
    icon: <CircleSlash aria-hidden="true" />,
  },
  unsupported: {
    title: 'This browser cannot notify you',
    text: 'It has no push notifications for this page. Email and the bell at the top work everywhere.',
    icon: <CircleSlash aria-hidden="true" />,
  },
}

/** Web push for the browser at hand. It takes effect at once, apart from the rest of the preferences. */
export function PushCard() {
  const client = useQueryClient()
  const state = useQuery({ queryKey: key, queryFn: readPushState, refetchOnMount: 'always' })
  const change = useMutation({
    mutationFn: (on: boolean) => (on ? turnPushOn() : turnPushOff()),
    onSuccess: (next, on) => {
      client.setQueryData(key, next)
      if (next === 'on') toast({ title: 'This browser notifies you now' })
      else if (!on) toast({ title: 'This browser notifies you no more' })
    },
  })
  if (state.isPending) return <Skeleton className="h-20" />
  const { title, text, icon } = states[state.data ?? 'unsupported']
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <span className="grid size-10 shrink-0 place-items-center rounded-full bg-leaf-soft text-leaf [&_svg]:size-5">{icon}</span>
      <div className="min-w-0 flex-1 basis-64" role="status">
        <p className="font-medium">{title}</p>
        <p className="max-w-text text-muted text-sm">{text}</p>
      </div>
      {state.data === 'off' && (
        <Button variant="secondary" onClick={() => change.mutate(true)} pending={change.isPending} pendingText="Asking...">
          Notify me in this browser
        </Button>
      )}
      {state.data === 'on' && (
        <Button variant="secondary" onClick={() => change.mutate(false)} pending={change.isPending} pendingText="Turning off...">
          Turn off
        </Button>
      )}
      {change.isError && (
        <div role="alert" className="basis-full">
          <FieldError>{messageOf(change.error, 'The browser’s push service did not answer. Try again later.')}</FieldError>
        </div>
      )}
    </div>
  )
}
