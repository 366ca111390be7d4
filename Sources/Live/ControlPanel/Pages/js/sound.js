// The fob's buzzer. Browsers let a page make sounds only after the user has touched it.

let context = null;
const tones = new Map();

// How loud, and how quickly it swells and dies away, in seconds.
const loudness = 0.05, slope = 0.008;
// A beep, and how often one begins, in seconds.
const beep = 0.2, beat = 1;

/**
 * Has exactly these frequencies sound, in hertz. `isSteady` is for a fob that says of a whole alarm when it begins and
 * ends: the beeps in between are made here. Any other says so of each beep.
 */
export function sound(frequencies, isSteady = false) {
  if (frequencies.length === 0 && !context) return;
  context ??= "AudioContext" in window ? new AudioContext() : null;
  if (!context) return;
  if (context.state === "suspended") context.resume().catch(() => {});
  const wanted = new Set(frequencies);
  for (const [hertz, tone] of tones) {
    if (wanted.has(hertz)) continue;
    tone.volume.gain.cancelScheduledValues(context.currentTime);
    tone.volume.gain.setTargetAtTime(0, context.currentTime, slope);
    tone.oscillator.stop(context.currentTime + 0.05);
    tones.delete(hertz);
  }
  for (const hertz of wanted) {
    if (tones.has(hertz)) continue;
    const oscillator = new OscillatorNode(context, { type: "square", frequency: hertz });
    const volume = new GainNode(context, { gain: 0 });
    oscillator.connect(volume).connect(context.destination);
    const start = context.currentTime;
    // Ten beeps are more than any alarm has.
    for (let n = 0; n < (isSteady ? 10 : 1); n += 1) {
      volume.gain.setTargetAtTime(loudness, start + n * beat, slope);
      if (isSteady) volume.gain.setTargetAtTime(0, start + n * beat + beep, slope);
    }
    oscillator.start();
    tones.set(hertz, { oscillator, volume });
  }
}
