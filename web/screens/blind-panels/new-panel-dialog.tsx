import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { uuidv7 } from 'uuidv7'
import { maxCardsPerJar, panelTraitKinds } from '#contracts/blind-panels.rules.ts'
import { NewPanel } from '#contracts/blind-panels.ts'
import { createPanel } from '#contracts/calls/blind-panels.ts'
import { PlantChoice } from '#web/entities/plants/plant-choice.tsx'
import { genotypesOptions } from '#web/entities/plants/plants.api.ts'
import { traitsOptions } from '#web/entities/traits/traits.api.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog, DialogCancel, DialogContent } from '#web/ui/dialog.tsx'
import { Field, FieldGroup, FormError } from '#web/ui/field.tsx'
import { showErrors } from '#web/ui/focus.ts'
import { Input, Textarea } from '#web/ui/input.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import { Select } from '#web/ui/select.tsx'
import { SkeletonText } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { refreshPanels } from './panels.api.ts'

type Issues = Partial<Record<'name' | 'instructions' | 'traitIds' | 'jars' | 'cardsPerJar' | 'cureDays', string>>

const plantsLegend = 'Plants (one jar each)'

const whole = (text: string): number | null => (/^\d+$/.test(text.trim()) ? Number(text) : null)

export function NewPanelDialog({ huntId, onOpenChange }: { huntId: string; onOpenChange: (open: boolean) => void }) {
  const client = useQueryClient()
  const formId = useId()
  const { data: traits = [] } = useQuery(traitsOptions(huntId))
  const genotypes = useQuery(genotypesOptions(huntId))
  const [id] = useState(uuidv7)
  const [name, setName] = useState('')
  const [instructions, setInstructions] = useState('')
  const [traitIds, setTraitIds] = useState<readonly string[]>([])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [jarNames, setJarNames] = useState<'letters' | 'digits'>('letters')
  const [cards, setCards] = useState('3')
  const [cureDays, setCureDays] = useState('')
  const [hidesJars, setHidesJars] = useState(false)
  const [issues, setIssues] = useState<Issues>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)

  const scored = traits.filter(
    ({ kind, source, isArchived }) => !isArchived && source === 'observation' && panelTraitKinds.some((each) => each === kind),
  )
  // Include ended plants, because tasted plants have been harvested.
  const plants = genotypes.data?.flatMap((genotype) => genotype.plants) ?? []

  const mend = (field: keyof Issues) => {
    if (issues[field]) setIssues({ ...issues, [field]: undefined })
  }

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    setFailure(null)
    const cure = whole(cureDays)
    const body = {
      id,
      name,
      instructions,
      traitIds: scored.map((trait) => trait.id).filter((each) => traitIds.includes(each)),
      jars: plants.filter((plant) => chosen.has(plant.id)).map((plant) => ({ plantId: plant.id, cureDays: cure })),
      jarNames,
      cardsPerJar: whole(cards) ?? -1,
      hidesJars,
    }
    const found: Issues = {}
    const read = NewPanel.safeParse(body)
    for (const { path, message } of read.error?.issues ?? []) {
      const field = path.includes('cureDays') ? 'cureDays' : (path[0] as keyof Issues)
      found[field] ??= message
    }
    if (cureDays.trim() !== '' && cure === null) found.cureDays = 'Enter a whole number of days'
    if (Object.keys(found).length > 0) return showErrors(form, () => setIssues(found))
    setIssues({})
    setSending(true)
    try {
      await call(createPanel, { params: { id: huntId }, body })
      await refreshPanels(client)
      toast({ title: 'Panel opened', description: hidesJars ? 'Next, have someone fill the jars.' : 'Next, print its cards.' })
      onOpenChange(false)
    } catch (error) {
      if (error instanceof ApiError) setIssues(error.fields as Issues)
      setFailure(messageOf(error))
    } finally {
      setSending(false)
    }
  }

  return (
    <Dialog open onOpenChange={onOpenChange}>
      <DialogContent
        title="New blind panel"
        description="Each plant gets a jar with a random code name, and each tester gets one card per jar. No one sees a score until you close the panel."
        size="md"
        actions={
          <>
            <DialogCancel />
            <Button type="submit" form={formId} pending={isSending} pendingText="Opening..." className="min-h-12">
              Open panel
            </Button>
          </>
        }
      >
        <form id={formId} noValidate onSubmit={(event) => void send(event)} className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <Field label="Name" hint="Only people with access to the hunt can see it. Testers can’t." error={issues.name}>
            <Input
              value={name}
              maxLength={80}
              onChange={({ target }) => {
                mend('name')
                setName(target.value)
              }}
              className="min-h-12"
            />
          </Field>
          <Field
            label="Instructions for testers"
            optional
            hint="Testers see only this, the jar name and the questions. Don’t name plants or crosses."
            error={issues.instructions}
          >
            <Textarea
              rows={3}
              value={instructions}
              maxLength={2000}
              onChange={({ target }) => {
                mend('instructions')
                setInstructions(target.value)
              }}
            />
          </Field>
          <FieldGroup legend="What testers score" error={issues.traitIds}>
            {scored.length === 0 && (
              <p className="text-muted text-sm">
                This hunt has no traits that testers can score.{' '}
                <Link to="/pheno-hunt" search={{ tab: 'tracker', hunt: huntId }} className={textLink}>
                  Add a scale, number or list under Data Tracker
                </Link>{' '}
                first.
              </p>
            )}
            {scored.map((trait) => (
              <Checkbox
                key={trait.id}
                checked={traitIds.includes(trait.id)}
                onChange={() => {
                  mend('traitIds')
                  setTraitIds(traitIds.includes(trait.id) ? traitIds.filter((each) => each !== trait.id) : [...traitIds, trait.id])
                }}
                hint={trait.options.map(({ label }) => label).join(', ') || trait.unit}
                className="[&_label]:min-h-12 [&_label]:py-1.5"
              >
                {trait.name}
              </Checkbox>
            ))}
          </FieldGroup>
          <Loaded query={genotypes} loadingLabel="Loading the plants" skeleton={<SkeletonText />} failure="The plants couldn’t be loaded">
            {() =>
              plants.length < 2 ? (
                <FieldGroup legend={plantsLegend} error={issues.jars}>
                  <p className="text-muted text-sm">
                    A panel compares at least two plants.{' '}
                    <Link to="/pheno-hunt/$id" params={{ id: huntId }} className={textLink}>
                      Add plants to this hunt
                    </Link>{' '}
                    first.
                  </p>
                </FieldGroup>
              ) : (
                <PlantChoice
                  legend={plantsLegend}
                  error={issues.jars}
                  plants={plants}
                  chosen={chosen}
                  onChoose={(next) => {
                    mend('jars')
                    setChosen(next)
                  }}
                />
              )
            }
          </Loaded>
          <div className="grid gap-4 sm:grid-cols-3">
            <Field label="Jar names">
              <Select
                value={jarNames}
                onChange={({ target }) => setJarNames(target.value as 'letters' | 'digits')}
                className="[&_select]:min-h-12"
              >
                <option value="letters">Three letters</option>
                <option value="digits">Two digits</option>
              </Select>
            </Field>
            <Field label="Cards per jar" error={issues.cardsPerJar && `Enter a number up to ${maxCardsPerJar}`}>
              <Input
                inputMode="numeric"
                value={cards}
                onChange={({ target }) => {
                  mend('cardsPerJar')
                  setCards(target.value)
                }}
                className="min-h-12"
              />
            </Field>
            <Field label="Days cured" optional error={issues.cureDays}>
              <Input
                inputMode="numeric"
                value={cureDays}
                onChange={({ target }) => {
                  mend('cureDays')
                  setCureDays(target.value)
                }}
                className="min-h-12"
              />
            </Field>
          </div>
          <RadioCards legend="Who fills the jars">
            <RadioCard
              name={`${formId}-filler`}
              value="editors"
              checked={!hidesJars}
              onChange={() => setHidesJars(false)}
              title="I do"
              description="Everyone who can edit this hunt sees which plant is in which jar."
            />
            <RadioCard
              name={`${formId}-filler`}
              value="one"
              checked={hidesJars}
              onChange={() => setHidesJars(true)}
              title="Someone else"
              description="A helper who won’t taste opens the jar list, on their phone or yours, and fills the jars. Everyone else, including you, tastes blind until the panel closes."
            />
          </RadioCards>
          <FormError>{failure}</FormError>
        </form>
      </DialogContent>
    </Dialog>
  )
}
