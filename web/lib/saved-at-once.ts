import type { QueryKey } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'
import { createStore, useStore } from './store.ts'

type SavedAtOnce<Data, Choice> = {
  /** The query that contains the settings; its data is null for visitors. */
  queryKey: QueryKey
  withChoice: (settings: Data, choice: Choice) => Data
  /** Reverts the fields of a choice in `settings` to their values in `before`. */
  turnedBack: (settings: Data, before: Data, choice: Choice) => Data
  /** Sends a choice. `settings` are the server's with only this choice applied, without others that may still be rejected. */
  save: (choice: Choice, settings: Data) => Promise<unknown>
  onSaved?: () => void
  onFailed: (error: unknown) => void
}

/**
 * Settings that are saved as soon as they change. Choices are shown optimistically and sent one after another. Only a rejected choice is
 * reverted, and not if a later choice concerns the same setting. Queries started before a choice are canceled, because their response would
 * be outdated.
 */
export function savedAtOnce<Data extends object, Choice extends object>({
  queryKey,
  withChoice,
  turnedBack,
  save,
  onSaved,
  onFailed,
}: SavedAtOnce<Data, Choice>) {
  /** Unconfirmed choices, in order. */
  const choices = createStore<readonly Choice[]>([])
  /** The last settings confirmed by the server. */
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
    // The cache was cleared by signing out.
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
    /** The settings with unconfirmed choices. Notifies synchronously: the cache notifies later, after React has reset the checkbox. */
    useShown: <None extends null | undefined>(settings: Data | None): Data | None => {
      const chosen = useStore(choices)
      return settings && chosen.reduce<Data>(withChoice, settings)
    },
  }
}

/** Reverts settings that are fields of one response. */
export function fieldsBack<Data extends object>(settings: Data, before: Data, choice: Partial<NoInfer<Data>>): Data {
  const fields = Object.keys(choice) as (keyof Data)[]
  return { ...settings, ...Object.fromEntries(fields.map((field) => [field, before[field]])) }
}
