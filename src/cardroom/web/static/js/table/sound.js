// Sound, off until it is asked for: short tones made here, no files.
import { $ } from "../dom.js";

const KEPT = "sound";
const setting = $("#b-sound");
setting.checked = localStorage.getItem(KEPT) === "on";

/** @type {AudioContext | null} */
let audio = null;

/**
 * A few notes, one after the other.
 * @param {number[]} pitches
 * @param {number} seconds of each
 */
function play(pitches, seconds, loudness = 0.05) {
  if (!setting.checked) return;
  audio ??= new AudioContext();
  const start = audio.currentTime;
  pitches.forEach((pitch, index) => {
    if (!audio) return;
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const at = start + index * seconds;
    tone.frequency.value = pitch;
    tone.type = "triangle";
    volume.gain.setValueAtTime(loudness, at);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + seconds * 1.6);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + seconds * 1.7);
  });
}

export const sounds = {
  card: () => play([190], 0.05),
  turn: () => play([523, 659], 0.1),
  won: () => play([523, 659, 784], 0.11),
  award: () => play([523, 659, 784, 1047, 1319], 0.12, 0.07),
};

setting.addEventListener("change", () => {
  localStorage.setItem(KEPT, setting.checked ? "on" : "off");
  sounds.turn();
});
