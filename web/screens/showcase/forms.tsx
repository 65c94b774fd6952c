import { MapPin, Search, Sprout, Store, UserRound } from 'lucide-react'
import { useId, useState } from 'react'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { Field, FieldGroup } from '#web/ui/field.tsx'
import { Input, Textarea } from '#web/ui/input.tsx'
import { PasswordInput, PasswordMeter } from '#web/ui/password-input.tsx'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import { Select } from '#web/ui/select.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { Row, Specimen } from './specimen.tsx'

export function Forms() {
  return (
    <>
      <Specimen title="Fields" note="The error appears by the field, in words, and replaces nothing.">
        {() => (
          <div className="grid gap-5">
            <Field label="Business Name">
              <Input defaultValue="High Plains Farm" />
            </Field>
            <Field label="Location" hint="A city and a state. It is never more precise than that.">
              <Input placeholder="City, State" />
            </Field>
            <Field label="Location" error="Location is required">
              <Input placeholder="City, State" />
            </Field>
            <Field label="Website" optional hint="Begins with https://" error="Enter a valid address">
              <Input type="url" defaultValue="high plains" />
            </Field>
            <Field label="Email" hint="Contact support to change your email address">
              <Input type="email" value="ana@example.com" readOnly />
            </Field>
            <Field label="Phone">
              <Input type="tel" disabled value="(303) 555-0101" />
            </Field>
            <Field label="Search">
              <Input type="search" start={<Search />} placeholder="Farms, dispensaries, strains" />
            </Field>
            <Field label="Business Type">
              <Select defaultValue="farm">
                <option value="farm">Cannabis Farm</option>
                <option value="dispensary">Dispensary</option>
              </Select>
            </Field>
            <Field label="Business Type" error="Choose a business type">
              <Select defaultValue="">
                <option value="" disabled>
                  Choose one
                </option>
                <option value="farm">Cannabis Farm</option>
              </Select>
            </Field>
            <Field label="Description" optional>
              <Textarea placeholder="What makes the place special" />
            </Field>
          </div>
        )}
      </Specimen>
      <Specimen title="Password">{() => <Passwords />}</Specimen>
      <Specimen title="Choices">
        {() => (
          <div className="grid gap-6">
            <FieldGroup legend="Interests">
              <div className="grid grid-cols-2 gap-2">
                {['Flower', 'Edibles', 'Growing Tips', 'Industry News'].map((interest, index) => (
                  <Checkbox key={interest} defaultChecked={index === 1}>
                    {interest}
                  </Checkbox>
                ))}
                <Checkbox disabled>Topicals</Checkbox>
                <Checkbox disabled defaultChecked>
                  Accessories
                </Checkbox>
              </div>
            </FieldGroup>
            <Checkbox error="Confirm that you are 18 or older">I confirm that I am 18 years or older</Checkbox>
            <Switch defaultChecked hint="Others see your name, your city and your reviews.">
              Public Profile
            </Switch>
            <Switch>Product Updates</Switch>
            <Switch disabled>Email Notifications</Switch>
          </div>
        )}
      </Specimen>
      <Specimen title="Radio cards">{() => <AccountType />}</Specimen>
      <Specimen title="Combobox" note="Type “de”. Use Down and Up to move, Enter to choose, Escape to close.">
        {() => <PlaceField />}
      </Specimen>
    </>
  )
}

function Passwords() {
  return (
    <div className="grid gap-5">
      <Field label="Password">
        <PasswordInput autoComplete="new-password" defaultValue="sunlight" />
      </Field>
      <PasswordMeter score={0} hint="This is a common word." />
      <PasswordMeter score={2} hint="Add another word or two." />
      <PasswordMeter score={4} />
      <PasswordMeter score={null} />
    </div>
  )
}

function AccountType() {
  const [type, privacy] = [useId(), useId()]
  return (
    <div className="grid gap-6">
      <RadioCards legend="Account type">
        <RadioCard
          name={type}
          value="consumer"
          title="Personal"
          description="Discover and follow local businesses."
          icon={<UserRound />}
          defaultChecked
        />
        <RadioCard name={type} value="business" title="Business" description="A profile, a menu and your customers." icon={<Store />} />
      </RadioCards>
      <RadioCards legend="Privacy" error="Choose who may join" className="sm:grid-flow-row!">
        <RadioCard name={privacy} value="public" title="Public" description="Anyone may join." icon={<Sprout />} />
        <RadioCard name={privacy} value="invite" title="Invite Only" disabled />
      </RadioCards>
    </div>
  )
}

const places = ['Denver, CO', 'Detroit, MI', 'Des Moines, IA', 'Decatur, GA', 'Del Norte, CO', 'Portland, OR', 'Portland, ME']

function PlaceField() {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  async function find(query: string) {
    await new Promise((resolve) => setTimeout(resolve, 250))
    return places.filter((place) => place.toLowerCase().startsWith(query.toLowerCase()))
  }
  async function fail(): Promise<string[]> {
    throw new Error('No connection')
  }
  return (
    <div className="grid gap-5 pb-2">
      <Field label="Near">
        <Combobox
          value={text}
          onValueChange={setText}
          loadOptions={find}
          optionKey={(place) => place}
          optionText={(place) => place}
          renderOption={(place) => (
            <>
              <MapPin aria-hidden="true" className="size-4.5 text-muted" /> {place}
            </>
          )}
          onSelect={setChosen}
          emptyText="No place of that name"
          placeholder="City or ZIP"
          start={<MapPin />}
        />
      </Field>
      <Field label="Near, without a connection">
        <Failing load={fail} />
      </Field>
      <Row>{chosen ? `Chosen: ${chosen}` : 'Nothing chosen yet'}</Row>
    </div>
  )
}

function Failing({ load }: { load: () => Promise<string[]> }) {
  const [text, setText] = useState('')
  return <Combobox value={text} onValueChange={setText} loadOptions={load} optionKey={String} optionText={String} onSelect={setText} />
}
