import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleSlash, TicketX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { TasteCard } from '../../../contracts/blind-panels.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { useCurrentUser } from '../../lib/current-user.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { useRefocus } from '../../ui/use-refocus.ts'
import { Notice } from '../accounts/notice.tsx'
import { tasteOptions } from './panels.api.ts'
import { TasteForm } from './taste-form.tsx'

/** Where a card leads: whoever holds it scores one jar, without an account. */
export function TasteScreen({ token }: { token: string }) {
  return (
    <div className="mx-auto w-full max-w-lg px-4 py-6 sm:px-6 sm:py-10">
      <Content token={token} />
    </div>
  )
}

function Content({ token }: { token: string }) {
  const client = useQueryClient()
  const { data: card, error, refetch, isFetching } = useQuery(tasteOptions(token))
  const [isSent, setSent] = useState(false)
  const [isAdult, setAdult] = useIsAdult()
  const heading = useRefocus<HTMLHeadingElement>(card ? `${isAdult}` : null)
  if (!card) {
    if (!error) {
      return (
        <SkeletonGroup label="Looking up your card..." className="grid gap-5">
          <Skeleton className="h-10 w-40" />
          <Skeleton className="h-72 rounded-card" />
        </SkeletonGroup>
      )
    }
    if (error instanceof ApiError && error.status === 404) {
      return (
        <Over icon={<TicketX />} title="This card is not known">
          <p>It may have been printed again since, or its panel is gone. Ask whoever gave it to you for another one.</p>
        </Over>
      )
    }
    return (
      <ErrorState
        level={1}
        title="The card could not be looked up"
        description={messageOf(error)}
        onRetry={() => void refetch()}
        pending={isFetching}
      />
    )
  }
  if (isSent) {
    return (
      <Notice icon={<CircleCheck />} title="Thank you">
        <p>Your scores for jar {card.jarName} are in. Scan the next card for the next jar.</p>
      </Notice>
    )
  }
  if (card.state === 'answered') {
    return (
      <Notice icon={<CircleCheck />} title={`Jar ${card.jarName} is scored`}>
        <p>This card was answered already. Each card takes one answer: scan another one for another jar.</p>
      </Notice>
    )
  }
  if (card.state === 'closed') {
    return (
      <Over icon={<CircleSlash />} title="This tasting is over">
        <p>It takes no more answers. Thank you for coming by.</p>
      </Over>
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <header>
        <p className="text-muted">Jar</p>
        <h1 ref={heading} tabIndex={-1} className="font-mono text-[3.5rem]/none tracking-wide">
          {card.jarName}
        </h1>
      </header>
      {isAdult ? (
        <TasteForm
          token={token}
          card={card}
          onSent={(answered: TasteCard) => {
            setSent(true)
            client.setQueryData(tasteOptions(token).queryKey, answered)
          }}
          // Somebody else had this card, or the panel ended meanwhile: what stands now says which.
          onRefused={() => void client.invalidateQueries({ queryKey: tasteOptions(token).queryKey })}
        />
      ) : (
        <Card>
          <CardBody className="grid gap-4">
            <p>You are about to score cannabis. It is for adults.</p>
            <Button size="lg" className="min-h-14 text-lg" onClick={setAdult}>
              I am 18 or older
            </Button>
          </CardBody>
        </Card>
      )}
    </div>
  )
}

const Over = ({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) => (
  <Notice icon={icon} tone="clay" title={title}>
    {children}
  </Notice>
)

const key = 'taste:isAdult'

/** Whoever is signed in has said so before; anybody else once in this window, for all of their cards. */
function useIsAdult(): [boolean, () => void] {
  const user = useCurrentUser()
  const [isStated, setStated] = useState(() => {
    try {
      return sessionStorage.getItem(key) === 'yes'
    } catch {
      return false
    }
  })
  const state = () => {
    setStated(true)
    try {
      sessionStorage.setItem(key, 'yes')
    } catch {
      // Then the next card asks again.
    }
  }
  return [isStated || (user?.hasCompletedOnboarding ?? false), state]
}
