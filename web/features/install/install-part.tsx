import { useState } from 'react'
import { discreetName } from '../../../contracts/discreet-name.ts'
import { brand } from '../../lib/boot.ts'
import { dropInstallOffer, useInstallOffer } from '../../lib/install-offer.ts'
import { Button } from '../../ui/button.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { Switch } from '../../ui/switch.tsx'
import { isDiscreet, setDiscreet } from './discreet-name.ts'

/** The app on a home screen: by its own name, or by one that says nothing. */
export default function InstallPart() {
  const offer = useInstallOffer()
  const [wantsDiscreet, setWantsDiscreet] = useState(isDiscreet)

  function change(isWanted: boolean) {
    setDiscreet(isWanted)
    setWantsDiscreet(isWanted)
    // It was made for the other name; the browser offers anew.
    dropInstallOffer()
  }

  return (
    <SettingsSection
      id="install"
      title="On your home screen"
      description={`${brand.name} can be installed like an app. It then opens in a window of its own, and your hunts open without a network.`}
    >
      <div className="grid gap-5">
        <Switch
          checked={wantsDiscreet}
          onChange={(event) => change(event.currentTarget.checked)}
          hint={`On the home screen it is called “${discreetName}” and has a plain icon. For this device only; if the app is installed already, remove it and install it again.`}
        >
          Discreet name and icon
        </Switch>
        {offer ? (
          <div>
            <Button onClick={() => void offer.prompt().then(dropInstallOffer)}>Install</Button>
          </div>
        ) : (
          <p className="max-w-text text-muted text-sm">
            In your browser’s menu, choose “Install app” or “Add to Home Screen”. On an iPhone or iPad that is under Share.
          </p>
        )}
      </div>
    </SettingsSection>
  )
}
