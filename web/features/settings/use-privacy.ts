import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type PrivacySettings, savePrivacy } from '../../../contracts/settings.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { currentUserOptions, keepUser } from '../../lib/current-user.ts'
import { toast } from '../../ui/toast-store.ts'

type Choice = keyof PrivacySettings

/** Saves one of the two at once: it shows the new state before the answer, and the old one again when it was not saved. */
export function usePrivacy() {
  const client = useQueryClient()
  const show = (choice: Choice, isOn: boolean) => {
    const user = client.getQueryData(currentUserOptions.queryKey)
    if (user) keepUser({ ...user, [choice]: isOn })
  }
  const { mutate } = useMutation({
    // One after another, so that the last word is the last to be saved.
    scope: { id: 'privacy' },
    mutationFn: ({ choice, isOn }: { choice: Choice; isOn: boolean }) => call(savePrivacy, { body: { [choice]: isOn } }),
    onMutate: ({ choice, isOn }) => show(choice, isOn),
    onSuccess: () => {
      // The own profile as others see it is another one now.
      const [own] = currentUserOptions.queryKey
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== own, refetchType: 'none' })
    },
    onError: (error, { choice, isOn }) => {
      show(choice, !isOn)
      toast({ title: 'Your settings were not saved', description: messageOf(error), variant: 'destructive' })
    },
  })
  return (choice: Choice, isOn: boolean) => mutate({ choice, isOn })
}
