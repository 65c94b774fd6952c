import { mutationOptions, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'
import { createStore, useStore } from './store.ts'

type SavedAtOnce<Data, Choice> = {
  /** The settings' query, whose data is null for visitors. */
  queryKey: QueryKey
  withChoice: (settings: Data, choice: Choice) => Data
  turnedBack: (settings: Data, before: Data, choice: Choice) => Data
  /** `settings` are the server's with only this choice applied, because other choices might still be rejected. */
  save: (choice: Choice, settings: Data) => Promise<unknown>
  onSaved?: () => void
  onFailed: (error: unknown) => void
}

/**
 * Saves settings on change. Choices are optimistic and sent one after another. A rejected choice is reverted, unless a later choice
 * concerns the same setting. Queries that started before a choice are canceled, because their response would be outdated.
 */
export function optimisticSettings<Data extends object, Choice extends object>({
  queryKey,
  withChoice,
  turnedBack,
  save,
  onSaved,
  onFailed,
}: SavedAtOnce<Data, Choice>) {
  const choices = createStore<readonly Choice[]>([])
  let before: Data | undefined
  let saving: Promise<void> = Promise.resolve()
  let isReadAgain = false

  const now = () => queryClient.getQueryData<Data | null>(queryKey) ?? undefined

  function change(next: readonly Choice[], settings: (data: Data) => Data): void {
    const filter = { queryKey, exact: true }
    isReadAgain ||= queryClient.isFetching(filter) > 0
    void queryClient.cancelQueries(filter)
    queryClient.setQueryData<Data | null>(queryKey, (data) => data && settings(data))
    choices.set(next)
    if (choices.get().length > 0 || !isReadAgain) return
    isReadAgain = false
    void queryClient.invalidateQueries(filter)
  }

  async function send(choice: Choice): Promise<void> {
    const others = () => choices.get().filter((each) => each !== choice)
    const [data, known] = [now(), before]
    // Signing out has cleared the cache, so drop this choice.
    if (data === undefined || known === undefined) return change(others(), (settings) => settings)
    const remaining = choices.get().reduce<Data>((settings, each) => turnedBack(settings, known, each), data)
    try {
      await save(choice, withChoice(remaining, choice))
    } catch (error) {
      change(others(), (settings) => others().reduce<Data>(withChoice, turnedBack(settings, known, choice)))
      return onFailed(error)
    }
    before = withChoice(known, choice)
    change(others(), (settings) => others().reduce<Data>(withChoice, withChoice(settings, choice)))
    onSaved?.()
  }

  return {
    choose(choice: Choice): void {
      const data = now()
      if (data === undefined) return
      if (choices.get().length === 0) before = data
      change([...choices.get(), choice], (settings) => withChoice(settings, choice))
      saving = saving.then(() => send(choice))
    },
    /** Includes unconfirmed choices. Notifies synchronously: the cache notifies later, after React has reset the checkbox. */
    useShown: <None extends null | undefined>(settings: Data | None): Data | None => {
      const chosen = useStore(choices)
      return settings && chosen.reduce<Data>(withChoice, settings)
    },
  }
}

type Toggle<Answer> = {
  mutationKey: readonly string[]
  save: (isOn: boolean) => Promise<Answer>
  /** Called only with a state that isn't shown yet, so it may add to a count or subtract from it. */
  show: (isOn: boolean) => void
  /** `isLast` is false while a later press is being sent. */
  onSaved?: (answer: Answer, isOn: boolean, isLast: boolean) => void
  onFailed: (error: unknown, isOn: boolean) => void
}

/** The states that the server last confirmed, by scope. Contains only toggles whose presses are still being sent. */
const confirmedStates = new Map<string, boolean>()

/** For buttons that turn something on or off. Presses are optimistic and sent one after another, so the last one wins. */
export function toggleOptions<Answer>(client: QueryClient, { mutationKey, save, show, onSaved, onFailed }: Toggle<Answer>) {
  const id = mutationKey.join(':')
  const isLast = () => client.isMutating({ mutationKey }) === 1
  return mutationOptions({
    mutationKey,
    scope: { id },
    mutationFn: save,
    onMutate: (isOn: boolean) => {
      if (isLast() || !confirmedStates.has(id)) confirmedStates.set(id, !isOn)
      show(isOn)
    },
    onSuccess: (answer, isOn) => {
      confirmedStates.set(id, isOn)
      onSaved?.(answer, isOn, isLast())
    },
    onError: (error, isOn) => {
      if (isLast() && confirmedStates.get(id) !== isOn) show(!isOn)
      onFailed(error, isOn)
    },
    onSettled: () => {
      if (isLast()) confirmedStates.delete(id)
    },
  })
}

/** A `turnedBack` for settings that are fields of one response. Restores the choice's fields. */
export function fieldsBack<Data extends object>(settings: Data, before: Data, choice: Partial<NoInfer<Data>>): Data {
  const fields = Object.keys(choice) as (keyof Data)[]
  return { ...settings, ...Object.fromEntries(fields.map((field) => [field, before[field]])) }
}
