import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '../../ui/toast-store.ts'
import { progressOptions, useKeepProgress } from './guide.api.ts'
import { GuideButton } from './guide-button.tsx'
import { GuideCard } from './guide-card.tsx'
import { setGuideShape, useGuideShape } from './guide-store.ts'

/** Below this width the card would cover what one came for: there it waits as a button. */
const wide = '(min-width: 75rem)'

/** The guide as somebody left it: a card, a button, or put away for good. */
export default function Guide({ isAsked }: { isAsked: boolean }) {
  const { data: progress } = useQuery(progressOptions)
  const keep = useKeepProgress()
  const kept = useGuideShape()
  const [ownShape] = useState(() => (matchMedia(wide).matches ? ('card' as const) : ('button' as const)))
  if (!isAsked && (!progress || progress.isDismissed)) return null

  if ((kept ?? ownShape) === 'button') {
    return <GuideButton progress={progress} onOpen={() => setGuideShape('card')} />
  }
  const putAway = () => {
    keep({ isDismissed: true })
    setGuideShape(null)
    const undo = () => {
      keep({ isDismissed: false })
      setGuideShape('card')
    }
    toast({ title: 'The guide is put away', description: 'You find it in your account’s menu.', action: { label: 'Undo', onClick: undo } })
  }
  /** What was followed leads elsewhere: there the guide is small, and the focus is the screen's. */
  const follow = () => setGuideShape('button', { elsewhere: true })
  return <GuideCard onSmall={() => setGuideShape('button')} onFollow={follow} onPutAway={putAway} />
}
