import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { type Claim, withdrawClaim } from '../../../contracts/claims.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast-store.ts'

/** Ends the person's own claim; another one can begin at once. `optionsKey` is the query that holds it. */
export function GiveUp({ optionsKey, claim, text }: { optionsKey: QueryKey; claim: Claim; text: string }) {
  const client = useQueryClient()
  const withdraw = useMutation({
    mutationFn: () => call(withdrawClaim, { params: { id: claim.id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: optionsKey }),
    onError: (error) => void toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <Button variant="quiet" size="lg" onClick={() => withdraw.mutate()} pending={withdraw.isPending}>
      {text}
    </Button>
  )
}
