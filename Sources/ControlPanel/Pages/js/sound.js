// The fob's buzzer. Browsers let a page sound only after somebody has touched it.

let context = null;
let tones = new Map();

export function canSound() {
  return "AudioContext" in window;
}

/** Has exactly these frequencies sound, in hertz. */
export function sound(frequencies) {
  if (frequencies.length === 0 && !context) return;
  context ??= canSound() ? new AudioContext() : null;
  if (!context) return;
  if (context.state === "suspended") context.resume().catch(() => {});
  const wanted = new Set(frequencies);
  for (const [hertz, tone] of tones) {
    if (wanted.has(hertz)) continue;
    tone.volume.gain.setTargetAtTime(0, context.currentTime, 0.008);
    tone.oscillator.stop(context.currentTime + 0.05);
    tones.delete(hertz);
  }
  for (const hertz of wanted) {
    if (tones.has(hertz)) continue;
    const oscillator = new OscillatorNode(context, { type: "square", frequency: hertz });
    const volume = new GainNode(context, { gain: 0 });
    oscillator.connect(volume).connect(context.destination);
    volume.gain.setTargetAtTime(0.05, context.currentTime, 0.008);
    oscillator.start();
    tones.set(hertz, { oscillator, volume });
  }
}
